/** The bundler writes the style sheet beside the script. */
declare module '*.css';
