import { authorityFile, localAuthority } from '../../../foundation/tls/authority.js'
import { type Command, flag } from '../command/command.js'

/** `mockademy ca`: prints the path of the local certificate authority, and makes one if there is none. control-api: "CLI" */
export const caCommand: Command = {
  flags: { print: flag.switch('Print only the certificate (PEM)') },

  async run(args) {
    const { certificate } = await localAuthority()
    const file = authorityFile()
    process.stdout.write(args.print ? certificate : `${file}\n`)
    if (!args.print && process.stdout.isTTY) process.stdout.write(HOW_TO_TRUST(file))
    return 0
  },
}

const HOW_TO_TRUST = (file: string) => `
Trust it where your clients run:
  Node     NODE_EXTRA_CA_CERTS=${file}
  curl     --cacert ${file}
  macOS    security add-trusted-cert -k ~/Library/Keychains/login.keychain-db ${file}
  Debian   sudo cp ${file} /usr/local/share/ca-certificates/mockademy.crt && sudo update-ca-certificates
  Windows  certutil -user -addstore Root ${file}
`
