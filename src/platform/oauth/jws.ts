/** Parts of jose that sign, in a module of their own: `import('jose')` would bundle all of it. */
export { CompactSign, importJWK } from 'jose'
