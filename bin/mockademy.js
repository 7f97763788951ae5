#!/usr/bin/env node
// Runs on Node.js 10 too, to say which one is needed; package.json beside it makes it CommonJS, which all of them read.
const needed = require('../package.json').engines.node.replace('>=', '')

function isOlder(version, other) {
  const [major, minor] = version.split('.')
  const [otherMajor, otherMinor] = other.split('.')
  return major - otherMajor < 0 || (major === otherMajor && minor - otherMinor < 0)
}

if (isOlder(process.versions.node, needed)) {
  console.error(`mockademy: needs Node.js ${needed} or newer; this is ${process.versions.node}`)
  process.exit(1)
}
require('../dist/main.cjs')
