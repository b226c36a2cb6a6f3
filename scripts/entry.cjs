// The file that Node is started with: the build makes dist/queuectl.cjs of it, beside the program.
// It only uses what every Node since 12 can parse, so that an old one gets a sentence instead of a syntax error.

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

// bin/queuectl puts '=' in front of all arguments where Node would take one of them for its own.
function asGiven(args) {
  return args[0] === '=' ? args.slice(1).map((argument) => argument.slice(1)) : args;
}

// node:sqlite works in every Node we accept, and some of them still announce it as experimental.
function hushExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...details) => {
    if (details[1] !== 'ExperimentalWarning') emitWarning.apply(process, details);
  };
}

// Output is written by the end of main. Leaving at once saves Node the taking apart of what the system clears away anyhow.
async function start(args) {
  const fs = require('node:fs');
  const isDebugged = Boolean(process.env.QUEUECTL_DEBUG);
  const kept = isDebugged ? null : keptFor(args);
  const compiled = [];
  const evaluate = (name, source, file) => {
    if (isDebugged) return traceable(source, file);
    const made = compile(name, source, file, kept, fs);
    compiled.push(made);
    return made.script.runInThisContext();
  };
  const code = await programOf(evaluate, fs).main(args);
  if (code === 0 && kept) for (const made of compiled) if (made.isNew) keep(made, kept, fs);
  process.exit(code);
}

// The program is main.cjs and the parts beside it, which are loaded when a module in them is first asked for. Each is one
// function, as Node wraps modules itself. A part has to be the one that main.cjs was built with: whoever runs for weeks
// reads all of them at the start (keepParts), a megabyte, and an upgrade changes nothing for it. Open files would do as
// well, but a worker may have few.
function programOf(evaluate, fs) {
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
    const source = keptTexts.get(name) || textOf(name);
    keptTexts.delete(name);
    return load(name, source, pathOf(name));
  };
  const textOf = (name) => {
    const source = ifPossible(() => fs.readFileSync(pathOf(name), 'utf8')) || '';
    const { digest, size } = main.parts()[name];
    if (source.length !== size || !source.startsWith(digest)) throw main.replaced(pathOf(name));
    return source;
  };
  const keepParts = () => {
    for (const name of Object.keys(main.parts())) if (!files.has(name)) keptTexts.set(name, textOf(name));
  };
  const pathOf = (name) => `${__dirname}/${main.parts()[name].file}`;

  const file = `${__dirname}/main.cjs`;
  const main = load('main', fs.readFileSync(file, 'utf8'), file);
  return main;
}

// Where V8's code for the program is kept, a file for each command, with and without options, and file of the program: it holds
// what the first such command needed and no more. Node's
// own compile cache holds what runs while the program is loaded, but not what runs then: 6 ms of 40. V8 runs whatever it
// finds, so it has to be a file of the user's own, and it is made only below a folder that is: not in the shared temporary folder,
// nor in the home of whoever called sudo.
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

// Each file of the program begins with a comment of 64 bytes that holds its digest, and so does what is kept of it.
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
      return isUsable && found.subarray(0, digest.length).equals(digest)
        ? found.subarray(digest.length)
        : undefined;
    } finally {
      fs.closeSync(opened);
    }
  });
}

// Whole or not at all, whoever else does the same and if the power fails: V8 would not notice that a part is missing.
function keep({ name, digest, script }, { base, folder, fileFor }, fs) {
  const owner = ifPossible(() => fs.statSync(base).uid);
  if (owner !== process.getuid()) return;
  const file = fileFor(name);
  const made = `${file}.${process.pid}`;
  const isKept = ifPossible(() => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const content = Buffer.concat([digest, script.createCachedData()]);
    fs.writeFileSync(made, content, { mode: 0o600, flag: 'wx', flush: true });
    fs.renameSync(made, file);
    return true;
  });
  if (!isKept) ifPossible(() => fs.rmSync(made, { force: true }));
}

// What is kept only saves time: whatever is in its way, the command is done all the same.
function ifPossible(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}

// With the lines of the sources in its stack traces, which Node finds for modules only.
function traceable(source, file) {
  const { Module } = require('node:module');
  process.setSourceMapsEnabled(true);
  const module = new Module(file);
  module._compile(`module.exports=${source}`, file);
  return module.exports;
}
