# sh dev/run.sh <file.ts> [arguments]: installs missing dependencies, then replaces itself by that program.
# env searches the PATH again: the install may have added a newer Node (decision 18), and a shell caches where it found the first.
node dev/install.mjs && exec env node --import tsx "$@"
