/** Tells names of secrets from others, and values that may be shown. */

/** Endings of the names of secrets, in the form of `wordsOf`. */
const secretEnding = new RegExp(
  [
    '(?:token|tkn|secret|passw(?:or)?d|passwort|kennwort|passphrase|passcode|pwd|credential|mnemonic|jwt',
    '|auth|authori[sz]ation|bearer|cookie|signature|encoded_?command|(?<![a-z])(?:sig|pw|pin|otp|creds?|enc)',
    '|(?<!com|by|tres|sur|over|under|ask)pass|(?<!com|ex)pat|(?<!mon|don|tur|whis|hoc|joc|hot|lac|mic)key)s?',
    // A number, or a form of the value.
    '(?:_?v?\\d+(?:st|nd|rd|th)?|_(?:value|text|raw|base|b64|base64|hex|prod|production|dev|test|staging|live|old|new))*$',
  ].join(''),
);

/** A part of all these names: most other names fail this one test. */
const hint =
  /to?ke?n|secr|pass|wort|pw|cred|mnem|jwt|auth|bear|cook|sig|pin|otp|enc|pat|key/i;

// Texts instead of sets: they are searched seldom, and sets are slow to make at
// every start.

/** Keys of tables, caches and the like, which are not secrets. */
const otherKeys =
  ',primary,foreign,public,partition,sort,range,unique,row,cache,issue,project,object,idempotency,hot,group,order,';

/** Words before `tokens` that show a count. */
const counted =
  ',num,total,count,input,output,prompt,completion,context,thinking,';

/** Endings of the names of values that may be shown. */
const openEndings =
  ',level,env,environment,mode,port,host,hostname,domain,address,url,uri,endpoint,server,region,zone,location' +
  ',debug,verbose,quiet,log,logs,logging,status,reason,phase,telemetry,tracking,enable,enabled,disable,disabled,only' +
  ',path,dir,directory,folder,root,home,file,filename,name,id,user,username,login,owner,group,role,profile,project' +
  ',org,organization,organisation,team,workspace,repo,repository,branch,ref,tag,scope,scopes,feature,features,tool' +
  ',tools,toolset,toolsets,program,command,shell,term,display,editor,pager,browser,option,options,opts,args,flags' +
  ',lang,language,locale,tz,timezone,model,provider,version,type,kind,format,encoding,charset,transport,protocol' +
  ',agent,timeout,interval,delay,ttl,limit,size,length,count,number,max,min,retries,workers,threads,concurrency' +
  ',width,height,db,database,schema,table,collection,index,bucket,queue,topic,channel,partition,preference,cache,ssl' +
  ',tls,verify,strict,input,output,page,offset,sort,query,search,filter,q,accept,origin,control,color,theme' +
  ',headless,title,description,label,ci,unbuffered,';

function isIn(list: string, word: string): boolean {
  return list.includes(`,${word},`);
}

/** The end of the name in snake case: `--apiKey` is `api_key`. */
function wordsOf(name: string): string {
  return name
    .slice(-80)
    .replace(/([a-z]|\d(?=[A-Z][a-z]))(?=[A-Z])/g, '$1_')
    .replace(/[^A-Za-z\d]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase();
}

/**
 * True if the variable, option, header or field with this name has a secret as
 * its value.
 */
export function isSecretName(name: string): boolean {
  if (!hint.test(name)) return false;
  const words = wordsOf(name);
  return secretEnding.test(words) && !isOther(words);
}

/** True if the name only ends like those of secrets. */
function isOther(words: string): boolean {
  const [, before = '', what] = /(.+?)_?(key|tokens?)s?$/.exec(words) ?? [];
  const last = before.slice(before.lastIndexOf('_') + 1);
  if (what === 'key') return isIn(otherKeys, last);
  return (
    /(?:^|_)(?:max|min)(?:_|$)/.test(before) ||
    (what === 'tokens' && isIn(counted, last))
  );
}

/** True if the name says that its value may be shown. */
export function isOpenName(name: string): boolean {
  const words = wordsOf(name);
  if (words.endsWith('session_id')) return false;
  return (
    isIn(openEndings, words.slice(words.lastIndexOf('_') + 1)) || isOther(words)
  );
}

const openWord =
  /^(?:true|false|yes|no|on|off|none|null|undefined|auto|oauth|basic|bearer|required|optional|string|value)$/i;

/**
 * References that a program or a shell replaces: one or several, with a sign
 * between them.
 */
const references =
  /^(?:(?:\$\{\{?\s*(?:(?:input|env|localEnv|secret|config|command):)?[\w.-]+\s*(?::-)?\}?\}|\$[A-Z_][A-Z\d_]*|\$env:\w+|\$\((?!echo|printf)[^()]*\)|%[A-Za-z_]\w*%|\{\{\s*[\w.:-]+\s*\}\}|\{env:\w+\})[:@/.-]?)+$/;

/** Placeholders that a user replaces, and masks. */
const placeholder =
  /^(?:<<?\$?[A-Za-z][\w .-]*>>?|YOUR[-_][A-Z\d_-]+|your[-_][a-z_-]+|[•*]{3,}|[xX]{3,}|\.{3})$/;

/** The path of a file that has a secret in it. */
const file =
  /^(?:(?:~|\.{1,2}|[a-z]:|\$\{?\w+\}?)?[\\/](?:[\w.@ -]+[\\/])*[\w.@ -]+\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|toml|ini|env|txt|conf)|(?:~|\/(?:home|users|etc|opt|usr|var|tmp|run|srv|mnt|root|app|secrets))\/[\w.@ /-]+)$/i;

/** True if this value is not a secret, whatever its name. */
export function isOpenValue(value: string): boolean {
  if (value.length > 300) return false;
  const itself = value.includes(' ')
    ? value.replace(/^(?:[\w-]*bearer|basic|token)\s+/i, '')
    : value;
  return (
    openWord.test(itself) ||
    (/^[$%{]/.test(itself) && references.test(itself)) ||
    (/^[<Yy•*Xx.]/.test(itself) && placeholder.test(itself)) ||
    (/[\\/]/.test(itself) && file.test(itself))
  );
}

/**
 * True if the value after this name may be shown: a word, a reference, a
 * number, a path, or because of its name.
 */
export function isOpen(name: string, value: string): boolean {
  if (isOpenValue(value)) return true;
  // `tokens: 5` counts them.
  if (isSecretName(name)) return /s$/i.test(name) && /^\d{1,7}$/.test(value);
  return (
    isOpenName(name) ||
    /^(?:v?\d{1,6}(?:\.\d+)*$|(?:~|\.{1,2}|[a-z]:)?[\\/])/i.test(value)
  );
}
