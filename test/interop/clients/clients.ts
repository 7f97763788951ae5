/** A client, and the program that signs in with it: a folder beside this file, shown on its page in docs/clients/. */
export interface Client {
  /** As it stands in the table of docs/clients.md. */
  name: string
  /** The folder of the program, and the name of the page. */
  folder: string
  program: string
  /** The path of its redirect URI. */
  callback: string
  /** It needs a browser, not only cookies and redirects. */
  inBrowser?: boolean
  /** From npm, the client itself first. */
  packages: string[]
  /** Run before the program, in the folder that holds it. */
  prepare?: Command[]
  command: Command
  /** Prints the version that is tried. */
  version: Command
  /** Text removed from the program, to show what it prevents. */
  without?: string
}

type Command = [program: string, ...args: string[]]

const onNode = (folder: string, packages: string[], rest: Partial<Client> = {}): Client => ({
  name: folder,
  folder,
  program: 'app.js',
  callback: '/callback',
  packages,
  command: [process.execPath, 'app.js'],
  version: [process.execPath, '-p', `require('./node_modules/${packages[0]}/package.json').version`],
  ...rest,
})

const elsewhere = (
  folder: string,
  rest: Pick<Client, 'program' | 'command' | 'version'> & Partial<Client>,
): Client => ({
  name: folder,
  folder,
  callback: '/callback',
  packages: [],
  ...rest,
})

// biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is dpkg-query's
const ofDebian = (name: string): Command => ['dpkg-query', '-W', '-f', '${source:Upstream-Version}', name]

/** A client, and what it is without a line of its program. */
const withAndWithout = (client: Client, text: string, said: string): Client[] => [
  client,
  { ...client, name: `${client.name}, without ${said}`, without: text },
]

export const clients: Client[] = [
  ...withAndWithout(
    onNode('openid-client', ['openid-client', 'express']),
    'client.enableNonRepudiationChecks,',
    '`enableNonRepudiationChecks`',
  ),
  ...withAndWithout(
    onNode('oauth4webapi', ['oauth4webapi', 'express']),
    'await oauth.validateApplicationLevelSignature(server, answer, insecure)',
    '`validateApplicationLevelSignature`',
  ),
  ...withAndWithout(
    onNode('auth-js', ['@auth/core', 'jose'], { name: 'Auth.js', callback: '/auth/callback/platform' }),
    'await jwtVerify(account.id_token, keys, expected)',
    '`jwtVerify`',
  ),
  onNode('better-auth', ['better-auth', 'express'], { callback: '/api/auth/callback/platform' }),
  ...withAndWithout(
    onNode('express-openid-connect', ['express-openid-connect', 'express', 'jose']),
    'await jwtVerify(session.id_token, keys, expected)',
    '`jwtVerify`',
  ),
  ...withAndWithout(
    onNode('passport-openidconnect', ['passport-openidconnect', 'passport', 'express-session', 'express', 'jose']),
    'await jwtVerify(idToken, keys, expected)',
    '`jwtVerify`',
  ),
  ...withAndWithout(
    onNode('oidc-client-ts', ['oidc-client-ts', 'express', 'jose'], { inBrowser: true }),
    'await jwtVerify(id_token, keys, expected)',
    '`jwtVerify`',
  ),
  elsewhere('mod_auth_openidc', {
    program: 'httpd.conf',
    inBrowser: true,
    command: ['apache2', '-X', '-d', '.', '-f', 'httpd.conf'],
    version: ofDebian('libapache2-mod-auth-openidc'),
  }),
  elsewhere('authlib', {
    name: 'Authlib',
    program: 'app.py',
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', 'authlib', 'flask', 'requests'],
    ],
    command: ['venv/bin/python', 'app.py'],
    version: ['venv/bin/python', '-c', 'import authlib; print(authlib.__version__)'],
  }),
  ...withAndWithout(
    elsewhere('go-oidc', {
      program: 'app.go',
      prepare: [['go', 'build', '-o', 'app', 'app.go']],
      command: ['./app'],
      version: ofDebian('golang-github-coreos-go-oidc-dev'),
    }),
    ' || idToken.Subject == ""',
    'the check of `Subject`',
  ),
  elsewhere('openid_connect', {
    program: 'app.rb',
    command: ['ruby', 'app.rb'],
    version: ofDebian('ruby-openid-connect'),
  }),
]
