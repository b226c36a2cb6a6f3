// The entry file for Node; the build makes dist/queuectl.cjs from it. It uses only syntax of Node 12, so that an old
// Node prints a message instead of a syntax error.

const wanted = 24;

if (Number.parseInt(process.versions.node, 10) < wanted) {
  const found = `${process.version} (${process.execPath})`;
  process.stderr.write(`error: queuectl needs Node ${wanted} or newer, this is ${found}\n`);
  process.stderr.write(' hint: install a newer one from https://nodejs.org, or put it first on the PATH\n');
  process.exitCode = 1;
} else {
  hushExperimentalWarnings();
  start(asGiven(process.argv.slice(2)));
}

// bin/queuectl prefixes all arguments with '=' if Node would interpret one of them. In an executable, Node interprets none.
function asGiven(args) {
  return args[0] === '=' && !isExecutable() ? args.slice(1).map((argument) => argument.slice(1)) : args;
}

// node:sqlite works in all supported versions of Node, but some still report it as experimental.
function hushExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...details) => {
    if (details[1] !== 'ExperimentalWarning') emitWarning.apply(process, details);
  };
}

// All output is written when main returns. Exiting at once saves Node's cleanup.
async function start(args) {
  const fs = require('node:fs');
  const textOf = isExecutable() ? textInExecutable() : (name) => fs.readFileSync(`${__dirname}/${name}`, 'utf8');
  if (args[0] === '__guard') return startGuard(textOf('guard.cjs'));
  const isDebugged = Boolean(process.env.QUEUECTL_DEBUG);
  const kept = isDebugged ? null : keptFor(args);
  const compiled = [];
  const evaluate = (name, source, file) => {
    if (isDebugged) return traceable(source, file);
    const made = compile(name, source, file, kept, fs);
    compiled.push(made);
    return made.script.runInThisContext();
  };
  const code = await programOf(evaluate, textOf).main(args);
  const fresh = compiled.filter(({ isNew }) => isNew);
  if (code === 0 && kept && fresh.length > 0 && hasFolder(kept, fs)) for (const made of fresh) keep(made, kept, fs);
  process.exit(code);
}

// In a single executable, this file is the main script, and the others are in it too.
function isExecutable() {
  return __filename === process.execPath;
}

// They are ASCII, which is quicker to read as Latin-1.
function textInExecutable() {
  const { getRawAsset } = require('node:sea');
  return (name) => Buffer.from(getRawAsset(name)).latin1Slice();
}

// The guard of a worker, where it cannot be started as a file.
function startGuard(source) {
  const { runInThisContext } = require('node:vm');
  runInThisContext(`(function(require,module,exports){${source}\n})`, 'guard.cjs')(require, { exports: {} }, {});
}

// The program is main.cjs and its parts, which are loaded on first use. Each is one function, like a module that Node
// wraps. A part must come from the same build as main.cjs, so a long-running process reads all parts at the start
// (keepParts, a megabyte) and is not affected by an upgrade. Open files would work too, but a worker may have few.
function programOf(evaluate, textOf) {
  const files = new Map();
  const lent = Object.create(null);
  const keptTexts = new Map();

  const load = (name, source, file) => {
    const program = {};
    files.set(name, program);
    evaluate(name, source, file)(program, find, lent, keepParts);
    return program;
  };
  const find = (id) => (id.startsWith('queuectl:') ? borrow(id.slice(9)) : require(id));
  const borrow = (id) => {
    if (!lent[id]) fileWith(id).lend(id);
    return lent[id];
  };
  const fileWith = (id) => {
    const name = main.partOf(id) || 'main';
    return files.get(name) || loadPart(name);
  };
  const loadPart = (name) => {
    const source = keptTexts.get(name) || partText(name);
    keptTexts.delete(name);
    return load(name, source, pathOf(name));
  };
  const partText = (name) => {
    const { digest, size, file } = main.parts()[name];
    const source = ifPossible(() => textOf(file)) || '';
    if (source.length !== size || !source.startsWith(digest)) throw main.replaced(pathOf(name));
    return source;
  };
  const keepParts = () => {
    for (const name of Object.keys(main.parts())) if (!files.has(name)) keptTexts.set(name, partText(name));
  };
  const pathOf = (name) => `${__dirname}/${main.parts()[name].file}`;

  const main = load('main', textOf('main.cjs'), `${__dirname}/main.cjs`);
  return main;
}

// The cache of V8's compiled code: one file for each command, with and without options, and each program file. Node's
// own compile cache covers the loading but not the running of a program: 6 ms of 40. V8 runs whatever it finds, so the
// cache must belong to the user and is only created below a directory of the user: not in the shared temporary
// directory, nor in the home of a sudo caller.
function keptFor(args) {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const base = XDG_CACHE_HOME || HOME;
  if (!base) return null;
  const folder = `${XDG_CACHE_HOME ? base : `${base}/.cache`}/queuectl/${__dirname.replace(/[^\w.-]/g, '_')}`;
  const word = /^[a-z]{2,12}$/.test(args[0]) ? args[0] : 'other';
  const command = args.slice(1).some((argument) => argument[0] === '-') ? `${word}-more` : word;
  return {
    base,
    folder,
    fileFor: (name) => `${folder}/${command}-${name}-${process.version}-${process.arch}`,
  };
}

// Each program file begins with a 64-byte comment that holds its digest, and so does its cache.
function digestOf(source) {
  return Buffer.from(source.slice(0, 64), 'latin1');
}

function compile(name, source, filename, kept, fs) {
  const { Script } = require('node:vm');
  const digest = digestOf(source);
  const script = new Script(source, {
    filename,
    cachedData: kept ? read(kept.fileFor(name), digest, fs) : undefined,
  });
  return { name, digest, script, isNew: script.cachedDataRejected !== false };
}

function read(file, digest, fs) {
  return ifPossible(() => {
    const opened = fs.openSync(file, 'r');
    try {
      const { uid, size } = fs.fstatSync(opened);
      const found = Buffer.allocUnsafeSlow(size);
      const isUsable = uid === process.getuid() && fs.readSync(opened, found) === size;
      return isUsable && found.subarray(0, digest.length).equals(digest) ? found.subarray(digest.length) : undefined;
    } finally {
      fs.closeSync(opened);
    }
  });
}

// The first command only creates the directory, because a new user waits for it: writing takes a fifth of its time.
function hasFolder({ base, folder }, fs) {
  const owner = ifPossible(() => fs.statSync(base).uid);
  if (owner !== process.getuid()) return false;
  return ifPossible(() => fs.mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined);
}

// Written atomically and flushed, because V8 would not notice a truncated cache.
function keep({ name, digest, script }, { fileFor }, fs) {
  const file = fileFor(name);
  const made = `${file}.${process.pid}`;
  const isKept = ifPossible(() => {
    const content = Buffer.concat([digest, script.createCachedData()]);
    fs.writeFileSync(made, content, { mode: 0o600, flag: 'wx', flush: true });
    fs.renameSync(made, file);
    return true;
  });
  if (!isKept) ifPossible(() => fs.rmSync(made, { force: true }));
}

// The cache only saves time, so errors are ignored.
function ifPossible(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}

// Stack traces with source lines, which Node supports for modules only.
function traceable(source, file) {
  const { Module } = require('node:module');
  process.setSourceMapsEnabled(true);
  const module = new Module(file);
  module._compile(`module.exports=${source}`, file);
  return module.exports;
}
