/** The bundler writes it beside the script. */
declare module '*.css';
