// The file that Node is started with, copied to dist/queuectl.mjs by the build, which fills in the import.
// It only uses what every Node since 12 can parse, so that an old one gets a sentence instead of a syntax error.

const wanted = 24;

if (Number.parseInt(process.versions.node, 10) < wanted) {
  const found = `${process.version} (${process.execPath})`;
  process.stderr.write(`error: queuectl needs Node ${wanted} or newer, this is ${found}\n`);
  process.stderr.write(' hint: install a newer one from https://nodejs.org, or put it first on the PATH\n');
  process.exitCode = 1;
} else {
  hushExperimentalWarnings();
  import('./{build}/main.mjs').then(run);
}

// node:sqlite works in every Node we accept, and some of them still announce it as experimental.
function hushExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...details) => {
    if (details[1] !== 'ExperimentalWarning') emitWarning.apply(process, details);
  };
}

async function run({ main }) {
  const code = await main(process.argv.slice(2));
  if (typeof code === 'number') process.exitCode = code;
}
