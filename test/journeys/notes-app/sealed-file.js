import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * One JSON value in a file, encrypted: tokens are stored encrypted at rest. A real app has a database here, and a key
 * from its key management.
 *
 * @param {string | undefined} path without one nothing is kept
 * @param {string} secret what the key is made of
 */
export function createSealedFile(path, secret) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'course-notes data file', 32))

  /** @param {Buffer} bytes */
  function open(bytes) {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  }

  /** @param {string} text */
  function seal(text) {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed])
  }

  return {
    /** @returns {any} undefined when nothing has been written @throws when it cannot be read */
    read() {
      if (!path || !existsSync(path)) return undefined
      try {
        return JSON.parse(open(readFileSync(path)).toString('utf8'))
      } catch {
        throw new Error(`${path} cannot be read: it is broken, or was written with another client secret`)
      }
    },

    /** Whole or not at all, whenever the process ends. @param {unknown} value */
    write(value) {
      if (!path) return
      writeFileSync(`${path}.new`, seal(JSON.stringify(value)), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
  }
}
