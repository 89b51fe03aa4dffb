# sh src/dev/run.sh <file.ts> [arguments]: installs what is missing, then becomes that program.
# env looks for Node anew: the install may have brought one (decision 18), and a shell remembers where it found the first.
node src/dev/install.mjs && exec env node --import tsx "$@"
