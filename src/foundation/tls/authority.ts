import { hash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { Authority } from './certificates.js'

/** Returns the folder for this user's data by the system's convention; `$XDG_DATA_HOME` goes first everywhere. */
function dataFolder(): string {
  const { XDG_DATA_HOME, LOCALAPPDATA } = process.env
  if (XDG_DATA_HOME) return join(XDG_DATA_HOME, 'mockademy')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'mockademy')
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'mockademy')
  return join(homedir(), '.local', 'share', 'mockademy')
}

const folder = () => join(dataFolder(), 'authority')

/** Returns the authority's certificate: for a browser or `NODE_EXTRA_CA_CERTS` to trust. */
export const authorityFile = () => join(folder(), 'ca.pem')

/**
 * The local authority, made when there is none. It is one for all emulators of this user, so that trusting it once
 * is enough, and it lives outside of any project, so that its key does not end up in a repository.
 * @throws Error that says where it cannot be kept, and what to set.
 */
export const localAuthority = (): Promise<Authority> =>
  withFolder(async () => {
    if (!existsSync(authorityFile())) await makeAuthority()
    const certificate = await readFile(authorityFile(), 'utf8')
    return { certificate, key: await readFile(join(folder(), 'ca.key'), 'utf8') }
  })

/** Does what reads or writes the authority's folder. @throws Error that says where it cannot be kept, and what to set. */
async function withFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Error(
      `The local certificate authority cannot be kept in ${folder()} (${(error as Error).message}). Set XDG_DATA_HOME to a folder that you may write to.`,
    )
  }
}

/** Both files appear at once: of two processes that make an authority, one gives way. */
async function makeAuthority(): Promise<void> {
  const { issueAuthority } = await import('./certificates.js')
  const { certificate, key } = await issueAuthority()
  await mkdir(dirname(folder()), { recursive: true, mode: 0o700 })
  const draft = await mkdtemp(`${folder()}-`)
  await writeFile(join(draft, 'ca.pem'), certificate)
  await writeFile(join(draft, 'ca.key'), key, { mode: 0o600 })
  try {
    await rename(draft, folder())
  } catch (error) {
    await rm(draft, { recursive: true })
    if (!existsSync(authorityFile())) throw error
  }
}

/** Node's own authorities and the local one, where there is one: for clients of an emulator that serves https. */
export const trustedAuthorities = (): string[] =>
  existsSync(authorityFile()) ? [...rootCertificates, readFileSync(authorityFile(), 'utf8')] : [...rootCertificates]

/**
 * Returns a file of authorities in place of the usual ones, with the local one: for variables such as `SSL_CERT_FILE`.
 * @param present the variable's value; Node's own authorities when there is none.
 * @throws Error as `localAuthority`.
 */
export const authorityBundle = async (present: string | undefined): Promise<string> =>
  bundleWith(present ? await readIfThere(present) : rootCertificates.join('\n'))

/**
 * Returns a file for `NODE_EXTRA_CA_CERTS` that holds the local authority and those of the variable.
 * @param present the variable's value.
 * @throws Error as `localAuthority`.
 */
export const extraAuthorities = async (present: string | undefined): Promise<string> =>
  present && present !== authorityFile() ? bundleWith(await readIfThere(present)) : authorityFile()

const readIfThere = (file: string) => readFile(file, 'utf8').catch(() => '')

const bundleWith = (others: string): Promise<string> =>
  withFolder(async () => {
    const local = await readFile(authorityFile(), 'utf8')
    const text = others.includes(local.trim()) ? others : `${others}\n${local}`
    const digest = hash('sha256', text).slice(0, 16)
    const bundle = join(folder(), `bundle-${digest}.pem`)
    if (existsSync(bundle)) return bundle
    // Another process may write the same one.
    const draft = `${bundle}.${randomUUID()}`
    await writeFile(draft, text)
    await rename(draft, bundle)
    return bundle
  })
