import { readFileSync } from 'node:fs'

/** Describes why a file holds no certificates in PEM form; undefined when it does. */
export function issueOfCertificates(file: string): string | undefined {
  try {
    const isPem = readFileSync(file, 'latin1').includes('-----BEGIN CERTIFICATE-----')
    return isPem ? undefined : `names a file without a certificate in PEM form: ${file}`
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`
  }
}
