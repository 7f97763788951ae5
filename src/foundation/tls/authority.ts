import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { Authority } from './certificates.js'
import { dataFolder } from './data-folder.js'

const folder = () => join(dataFolder(), 'authority')

/** The authority's certificate: what a browser or `NODE_EXTRA_CA_CERTS` is told to trust. */
export const authorityFile = () => join(folder(), 'ca.pem')

/**
 * The local authority, made when there is none. It is one for all emulators of this user, so that trusting it once
 * is enough, and it lives outside of any project, so that its key does not end up in a repository.
 * @throws Error that says where it cannot be kept, and what to set.
 */
export async function localAuthority(): Promise<Authority> {
  const key = join(folder(), 'ca.key')
  try {
    if (!existsSync(authorityFile())) await makeAuthority()
    const [certificate, privateKey] = await Promise.all([readFile(authorityFile(), 'utf8'), readFile(key, 'utf8')])
    return { certificate, key: privateKey }
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
 * A file of authorities in place of the usual ones, with the local one: for variables such as `SSL_CERT_FILE`.
 * @param present the variable's value; Node's own authorities stand for it when there is none.
 */
export async function authorityBundle(present: string | undefined): Promise<string> {
  const others = present ? await readFile(present, 'utf8').catch(() => '') : rootCertificates.join('\n')
  const local = await readFile(authorityFile(), 'utf8')
  const text = others.includes(local.trim()) ? others : `${others}\n${local}`
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const bundle = join(folder(), `bundle-${digest}.pem`)
  if (existsSync(bundle)) return bundle
  // Several variables may ask for the same one at once.
  const draft = `${bundle}.${randomUUID()}`
  await writeFile(draft, text)
  await rename(draft, bundle)
  return bundle
}

/**
 * A file for `NODE_EXTRA_CA_CERTS` that holds the local authority and whatever the variable has named so far.
 * @param present the variable's value
 */
export async function extraAuthorities(present: string | undefined): Promise<string> {
  if (!present || present === authorityFile()) return authorityFile()
  const others = await readFile(present, 'utf8').catch(() => '')
  const bundle = join(folder(), 'ca-with-others.pem')
  const draft = `${bundle}.${process.pid}`
  await writeFile(draft, `${others}\n${await readFile(authorityFile(), 'utf8')}`)
  await rename(draft, bundle)
  return bundle
}
