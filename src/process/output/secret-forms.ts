// Spellings of a text in JSON, URLs, shells and HTML. Most encoders leave letters and digits unchanged, so a simple
// secret has few of them.

/** Escapes as `\u00e9`, in lower case. */
const escaped = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
const inUpperCase = (c: string): string => `\\u${escaped(c).slice(2).toUpperCase()}`;

const NOT_ASCII = /[^\u0020-\u007e]/g;

/**
 * Python and PHP escape non-ASCII characters, PHP also the slash, Go HTML characters, and .NET uses upper-case digits.
 */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const forHtml = json.replace(/[<>&]/g, escaped);
  const strict = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '\\u0022');
  const all = [json, forHtml, json.replace(/[<>&']/g, escaped), strict.replace(/[<>&'+`]/g, inUpperCase)].flatMap(
    (form) => [form, form.replace(NOT_ASCII, escaped), form.replace(NOT_ASCII, inUpperCase)],
  );
  return all.flatMap((form) => [form, form.replaceAll('/', '\\/'), form.replaceAll('/', '\\u002f')]);
}

/** Encoders differ in unescaped marks, in spaces, and in the case of their digits. */
function inUrl(text: string): string[] {
  const loose = encodeURIComponent(text.toWellFormed());
  const percent = (c: string): string => `%${c.charCodeAt(0).toString(16).toUpperCase()}`;
  const strict = loose.replace(/[!'()*]/g, percent);
  const form = new URLSearchParams({ x: text }).toString().slice(2);
  const all = [loose, strict, form, form.replaceAll('+', '%20')].flatMap((one) => [
    one,
    one.replaceAll('%2F', '/'),
    one.replaceAll('%20', '+'),
    one.replaceAll('%2F', '/').replaceAll('%20', '+'),
  ]);
  return all.flatMap((one) => [one, one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

/** The text between quotes, and the text with backslash escapes. */
const forShell = (text: string): string[] => [
  text.replaceAll("'", `'"'"'`),
  text.replaceAll("'", "'\\''"),
  text.replaceAll("'", "\\'"),
  text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
  text.replace(/["$`\\]/g, '\\$&'),
  text.replace(/[^\w\-.,:/@%+=\u0080-\uffff]/g, '\\$&'),
];

function inHtml(text: string): string[] {
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = html.replaceAll('"', '&quot;');
  return [html, quoted, ...['&#39;', '&#x27;', '&apos;'].map((mark) => quoted.replaceAll("'", mark))];
}

/** JSON inside a JSON string, as in logs. */
const inJsonTwice = (text: string): string[] => inJson(text).flatMap((form) => [JSON.stringify(form).slice(1, -1)]);

/** Hex dumps as written by xxd and by Python. */
function inHex(text: string): string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const code = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;
  const literal = [...bytes]
    .map((byte) => (byte < 0x20 || byte > 0x7e ? code(byte) : String.fromCharCode(byte)))
    .join('');
  return [hex, hex.toUpperCase(), literal, literal.replaceAll("'", "\\'")];
}

/** Returns each distinct spelling, including the text itself. */
export const writtenForms = (text: string): string[] => [
  ...new Set([
    text,
    ...inJson(text),
    ...inUrl(text),
    ...forShell(text),
    ...inHtml(text),
    ...inJsonTwice(text),
    ...inHex(text),
  ]),
];
