// The file that Node is started with: the build copies it to dist/queuectl.cjs, beside the program.
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
  const file = `${__dirname}/main.cjs`;
  const source = fs.readFileSync(file, 'latin1'); // the build sees to it that all of it is ASCII
  if (process.env.QUEUECTL_DEBUG) process.exit(await traceable(source, file).main(args));
  const kept = keptFor(args, fs);
  const { script, isNew } = compile(source, file, kept, fs);
  const code = await exportsOf(script.runInThisContext()).main(args);
  if (code === 0 && kept && isNew) keep(script, source, kept, fs);
  process.exit(code);
}

// The program is one function, as Node wraps modules itself.
function exportsOf(program) {
  const module = { exports: {} };
  program(module.exports, require, module);
  return module.exports;
}

// Where V8's code for the program is kept, a file for each command: it holds what that command needs and no more. Node's
// own compile cache holds what runs while the program is loaded, but not what runs then: 6 ms of 40. V8 runs whatever it
// finds, so it lies below a folder that is the user's own: not in the shared temporary folder, nor in the home of whoever
// called sudo.
function keptFor(args, fs) {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const base = XDG_CACHE_HOME || HOME;
  const owner = base && ifPossible(() => fs.statSync(base));
  if (!owner || owner.uid !== process.getuid()) return null;
  const folder = `${XDG_CACHE_HOME ? base : `${base}/.cache`}/queuectl/${__dirname.replace(/[^\w.-]/g, '_')}`;
  const command = /^[a-z]{2,12}$/.test(args[0]) ? args[0] : 'other';
  return { folder, file: `${folder}/${command}-${process.version}-${process.arch}` };
}

// The program begins with a comment of 64 bytes that holds its digest, and so does what is kept of it.
function digestOf(source) {
  return Buffer.from(source.slice(0, 64), 'latin1');
}

function compile(source, filename, kept, fs) {
  const { Script } = require('node:vm');
  const script = new Script(source, {
    filename,
    cachedData: kept ? read(kept.file, digestOf(source), fs) : undefined,
  });
  return { script, isNew: script.cachedDataRejected !== false };
}

function read(file, digest, fs) {
  return ifPossible(() => {
    const found = fs.readFileSync(file);
    return found.subarray(0, digest.length).equals(digest) ? found.subarray(digest.length) : undefined;
  });
}

// Whole or not at all, whoever else does the same and if the power fails: V8 would not notice that a part is missing.
function keep(script, source, { folder, file }, fs) {
  const made = `${file}.${process.pid}`;
  const isKept = ifPossible(() => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const content = Buffer.concat([digestOf(source), script.createCachedData()]);
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
  return exportsOf(module.exports);
}
