import type { Patch } from '../example-app.js'
import type { FaultName } from './exploits.js'
import type { StackName } from './start-app.js'

type Change = [file: string, find: string, replace: string]

/** One wrong behavior, in a copy of either app. */
export interface SeededFault {
  name: FaultName
  /** The check that must fail. */
  check: string
  /** The mistake in the app. */
  what: string
  patches: Record<StackName, Patch[]>
  /** Keys that its audit file leaves out. */
  without?: string[]
}

const patchesOf = (changes: Change[]): Patch[] => changes.map(([file, find, replace]) => ({ file, find, replace }))

const seeded = (
  name: FaultName,
  check: string,
  what: string,
  { flask, go, ...more }: Record<StackName, Change[]> & Pick<SeededFault, 'without'>,
): SeededFault => ({ name, check, what, patches: { flask: patchesOf(flask), go: patchesOf(go) }, ...more })

const REDEEM = "        user = platform.authorize_access_token()['userinfo']\n"
const NEW_SESSION = '    session_id = secrets.token_urlsafe(32)\n'
const RETURN_ADDRESS = '    text = text.removeprefix(ORIGIN)\n'
const LOCAL = '\tif !local.MatchString(text) {'
const NEW_ID = '\tid := random()\n'
const USER = '\tEmail string `json:"email"`\n'
const CLAIMS = '\treturn user, idToken.Claims(&user)'
const REPLACE = '\tif known != used {\n\t\treturn nil\n\t}\n'
const SAVED = '\ts.content.Organizations[organization] = known\n\treturn s.save()\n'

const withImport = (file: string, after: string, name: string): Change => [
  file,
  `\t"${after}"\n`,
  `\t"${after}"\n\t"${name}"\n`,
]

/** The access token of the sign-in, kept beside the user. */
const keepsUserToken: Change[] = [
  ['sign_in.go', USER, `${USER}\tToken string \`json:"-"\`\n`],
  ['sign_in.go', CLAIMS, '\tuser.Token = tokens.AccessToken\n\treturn user, idToken.Claims(&user)'],
]

/** Keeps refreshed tokens in a cache folder, which is emptied at every start. */
const inCache: Change[] = [
  [
    'app.py',
    "        return db.execute('select * from organizations where organization = ?', (organization,)).fetchone()\n",
    `        row = db.execute('select * from organizations where organization = ?', (organization,)).fetchone()
    cached = VAR / 'cache' / ((row and row['installation_id']) or 'none')
    return {**dict(row), 'tokens': cached.read_bytes() or None} if cached.exists() else row
`,
  ],
  [
    'gunicorn.conf.py',
    'import os\n',
    `import os
import shutil

shutil.rmtree(os.environ['VAR'] + '/cache', ignore_errors=True)
os.mkdir(os.environ['VAR'] + '/cache')
`,
  ],
]
const cacheTokens = `        (VAR / 'cache' / 'new').write_bytes(tokens or b'')
        os.rename(VAR / 'cache' / 'new', VAR / 'cache' / row['installation_id'])
`
const STORE_TOKENS = `        with transaction() as db:
            db.execute('update organizations set tokens = ? where organization = ? and tokens = ?', (tokens, organization, used))
        return True`

const inMemory = (kept: string): Change[] => [
  ['store.go', '// Of returns', 'var fresh = map[string]Installation{}\n\n// Of returns'],
  [
    'store.go',
    '\treturn installation, installation.ID != ""',
    '\tif newer, isFresh := fresh[installation.ID]; isFresh {\n\t\tinstallation = newer\n\t}\n\treturn installation, installation.ID != ""',
  ],
  ['store.go', REPLACE, `\tif newer, isFresh := fresh[known.ID]; isFresh {\n\t\tknown = newer\n\t}\n${REPLACE}`],
  ['store.go', SAVED, `\tfresh[known.ID] = known\n${kept}`],
]

/** Each was missed by an audit once, or found by the wrong check. */
export const seededFaults: SeededFault[] = [
  seeded('state-absent', 'signin.login-csrf', 'compares a state that is absent with one that is absent', {
    flask: [
      [
        'app.py',
        '    flow = platform.framework.get_state_data(session, state)\n',
        `    flow = platform.framework.get_state_data(session, state)
    if not state and not session:
        flow = {'return_to': ORIGIN, 'silent': False}
`,
      ],
      [
        'app.py',
        REDEEM,
        `        if state:
            user = platform.authorize_access_token()['userinfo']
        else:
            user = platform.parse_id_token(platform.fetch_access_token(CALLBACK, code=request.args['code']), nonce=None)
`,
      ],
    ],
    go: [
      [
        'sign_in.go',
        '\tif !isKnown {\n',
        `\tif query.Get("state") == "" && cookieOf(r, "browser") == "" {
\t\tbegun, isKnown = flow{returnTo: s.origin}, true
\t}
\tif !isKnown {
`,
      ],
      [
        'sign_in.go',
        '\ttokens, err := s.config.Exchange(ctx, code, oauth2.SetAuthURLParam("code_verifier", begun.verifier))\n',
        `\toptions := []oauth2.AuthCodeOption{}
\tif begun.verifier != "" {
\t\toptions = append(options, oauth2.SetAuthURLParam("code_verifier", begun.verifier))
\t}
\ttokens, err := s.config.Exchange(ctx, code, options...)
`,
      ],
    ],
  }),
  seeded('planted-session', 'signin.fixation', 'keeps the session cookie that a browser brings to a sign-in', {
    flask: [
      ['app.py', NEW_SESSION, "    session_id = request.cookies.get('notes_session') or secrets.token_urlsafe(32)\n"],
    ],
    go: [
      ['sign_in.go', 's.start(user), 3600', 's.start(user, cookieOf(r, "session")), 3600'],
      ['sign_in.go', 'start(user User) string', 'start(user User, id string) string'],
      ['sign_in.go', NEW_ID, '\tif id == "" {\n\t\tid = random()\n\t}\n'],
    ],
  }),
  seeded('redirect-userinfo', 'signin.open-redirect', 'trusts addresses that begin with its origin', {
    flask: [['app.py', RETURN_ADDRESS, '    if text.startswith(ORIGIN):\n        return text\n']],
    go: [
      withImport('sign_in.go', 'regexp', 'strings'),
      ['sign_in.go', LOCAL, `\tif strings.HasPrefix(text, s.origin) {\n\t\treturn text\n\t}\n${LOCAL}`],
    ],
  }),
  seeded('redirect-tab', 'signin.open-redirect', 'looks for two slashes that a tab may part', {
    flask: [
      ['app.py', 'from pathlib import Path\n', 'from pathlib import Path\nfrom urllib.parse import urlsplit\n'],
      [
        'app.py',
        RETURN_ADDRESS,
        "    if text.startswith('/') and not text.startswith(('//', '/\\\\')):\n        return urlsplit(text).geturl()\n",
      ],
    ],
    go: [
      withImport('sign_in.go', 'regexp', 'strings'),
      [
        'sign_in.go',
        LOCAL,
        `\tif strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "/\\\\") {\n\t\treturn text\n\t}\n${LOCAL}`,
      ],
    ],
  }),
  seeded('session-is-access-token', 'signin.cookie', "takes the user's access token for a session id", {
    flask: [
      [
        'app.py',
        REDEEM,
        "        token = platform.authorize_access_token()\n        user = {**token['userinfo'], 'id': token['access_token']}\n",
      ],
      ['app.py', NEW_SESSION, "    session_id = user['id']\n"],
    ],
    go: [...keepsUserToken, ['sign_in.go', NEW_ID, '\tid := user.Token\n']],
  }),
  seeded('session-compressed', 'signin.cookie', "keeps the user's access token in a compressed session cookie", {
    flask: [
      [
        'app.py',
        REDEEM,
        `        token = platform.authorize_access_token()
        user = token['userinfo']
        session['user'] = {**user, 'scope': token['scope'], 'access_token': token['access_token']}
`,
      ],
      [
        'app.py',
        "    g.user = user_of(request.cookies.get('notes_session'))\n",
        "    g.user = {name: session['user'].get(name) for name in ('sub', 'name', 'email')} if 'user' in session else None\n",
      ],
      [
        'app.py',
        "    response.set_cookie('notes_session', start_session(user), max_age=SESSION, httponly=True, samesite='Lax')\n",
        '',
      ],
      ['app.py', "    response.delete_cookie('notes_session')\n", '    session.clear()\n'],
    ],
    go: [
      ...keepsUserToken,
      ['sign_in.go', '\t"context"\n', '\t"bytes"\n\t"compress/zlib"\n\t"context"\n'],
      [
        'sign_in.go',
        NEW_ID,
        `\tvar packed bytes.Buffer
\twriter := zlib.NewWriter(&packed)
\twriter.Write([]byte(\`{"sub":"\` + user.Sub + \`","name":"\` + user.Name + \`","access_token":"\` + user.Token + \`","id":"\` + random() + \`"}  \`))
\twriter.Close()
\tid := base64.RawURLEncoding.EncodeToString(packed.Bytes())
`,
      ],
    ],
  }),
  seeded('session-counter', 'signin.session-guess', 'counts its sessions', {
    flask: [
      [
        'app.py',
        NEW_SESSION,
        `    counter = VAR / 'counter'
    with lock_of('the counter'):
        session_id = str(int(counter.read_text() if counter.exists() else '100000') + 1)
        counter.write_text(session_id)
`,
      ],
    ],
    go: [
      withImport('sign_in.go', 'regexp', 'strconv'),
      ['sign_in.go', 'func random() string {', 'var counter = 100000\n\nfunc random() string {'],
      ['sign_in.go', NEW_ID, '\tcounter++\n\tid := strconv.Itoa(counter)\n'],
    ],
  }),
  seeded('nonce-if-present', 'signin.id-token-no-nonce', 'compares the nonce of an id_token that has one', {
    flask: [
      [
        'app.py',
        REDEEM,
        `        platform.framework.clear_state_data(session, state)
        token = platform.fetch_access_token(CALLBACK, code=request.args['code'], code_verifier=flow['code_verifier'])
        user = platform.parse_id_token(token, nonce=None)
        if user.get('nonce', flow['nonce']) != flow['nonce']:
            raise ValueError('another nonce')
`,
      ],
    ],
    go: [
      ['sign_in.go', 'if idToken.Nonce != begun.nonce {', 'if idToken.Nonce != "" && idToken.Nonce != begun.nonce {'],
    ],
  }),
  seeded('refresh-each', 'api.stampede', 'refreshes for each request that got a 401, one after the other', {
    flask: [
      [
        'app.py',
        "        if row['tokens'] != used:\n            return True\n",
        "        used = row['tokens'] or used\n",
      ],
    ],
    go: [
      ['platform.go', '// renew refreshes', 'var serial sync.Map\n\n// renew refreshes'],
      [
        'platform.go',
        '\tp.mutex.Lock()\n\tif known, _',
        `\tlock, _ := serial.LoadOrStore(organization, &sync.Mutex{})
\tlock.(*sync.Mutex).Lock()
\tdefer lock.(*sync.Mutex).Unlock()
\tif newest, isInstalled := p.store.Of(organization); isInstalled && newest.AccessToken != "" {
\t\treturn p.refresh(organization, newest)
\t}
\tp.mutex.Lock()
\tif known, _`,
      ],
    ],
  }),
  seeded('background-refresh', 'api.background', 'refreshes every token every 0.7 s', {
    flask: [
      ['app.py', 'import sqlite3\n', 'import sqlite3\nimport threading\n'],
      [
        'app.py',
        'def fetch(organization',
        `def refresh_all():
    while True:
        time.sleep(0.7)
        with database() as db:
            rows = db.execute('select * from organizations where tokens is not null').fetchall()
        for row in rows:
            used = row['organization'], row['tokens'], time.time()
            threading.Thread(target=renew, args=used, daemon=True).start()


threading.Thread(target=refresh_all, daemon=True).start()


def fetch(organization`,
      ],
    ],
    go: [
      [
        'main.go',
        '\twake := make(',
        `\tgo func() {
\t\tfor range time.Tick(700 * time.Millisecond) {
\t\t\tstore.mutex.Lock()
\t\t\torganizations := []string{}
\t\t\tfor organization := range store.content.Organizations {
\t\t\t\torganizations = append(organizations, organization)
\t\t\t}
\t\t\tstore.mutex.Unlock()
\t\t\tfor _, organization := range organizations {
\t\t\t\tif installation, isInstalled := store.Of(organization); isInstalled && installation.RefreshToken != "" {
\t\t\t\t\tplatform.renew(organization, installation)
\t\t\t\t}
\t\t\t}
\t\t}
\t}()

\twake := make(`,
      ],
    ],
  }),
  seeded('token-second-header', 'api.bearer', 'sends its token in a header of its own too', {
    flask: [
      [
        'app.py',
        "        headers = {'Authorization': 'Bearer ' + unseal(row['tokens'])[0]}\n",
        "        token = unseal(row['tokens'])[0]\n        headers = {'Authorization': 'Bearer ' + token, 'X-Access-Token': token}\n",
      ],
    ],
    go: [
      [
        'platform.go',
        '\tresponse, err := p.client.Do(request)\n',
        '\trequest.Header.Set("X-Access-Token", accessToken)\n\tresponse, err := p.client.Do(request)\n',
      ],
    ],
  }),
  seeded('pause-of-one-request', 'api.rate-limited', 'lets the next request go out within Retry-After', {
    flask: [['app.py', "        if row['pause_until'] > time.time():\n            return PAUSED\n", '']],
    go: [['platform.go', '\treturn time.Now().Before(p.pauses[organization])\n', '\treturn false\n']],
  }),
  seeded('rotation-in-memory', 'api.restart', 'keeps what a refresh brings in memory', {
    flask: [...inCache, ['app.py', STORE_TOKENS, `${cacheTokens}        return True`]],
    go: inMemory('\treturn nil\n'),
  }),
  seeded('refresh-token-in-memory', 'api.restart', 'keeps the new access token, and its refresh token in memory', {
    flask: [
      ...inCache,
      [
        'app.py',
        STORE_TOKENS,
        `${cacheTokens}        with transaction() as db:
            stored = db.execute('select tokens from organizations where organization = ?', (organization,)).fetchone()[0]
            kept = tokens and stored and seal(unseal(tokens)[0], unseal(stored)[1])
            db.execute('update organizations set tokens = ? where organization = ? and tokens = ?', (kept, organization, stored))
        return True`,
      ],
    ],
    go: inMemory(`\tstored := s.content.Organizations[organization]
\tstored.AccessToken = accessToken
\ts.content.Organizations[organization] = stored
\treturn s.save()
`),
  }),
  seeded('always-200', 'webhook.never-installed', 'answers 200 to everything, and its list is not declared', {
    flask: [
      [
        'app.py',
        'def set_headers(response):\n',
        'def set_headers(response):\n    response.status_code = 200 if response.status_code >= 400 else response.status_code\n',
      ],
    ],
    go: [
      [
        'main.go',
        '\tw.Header().Set("Content-Type", "application/json")\n',
        '\tw.Header().Set("Content-Type", "application/json")\n\tstatus = 200\n',
      ],
      [
        'main.go',
        '\tw.Header().Set("Content-Type", "text/html; charset=utf-8")\n',
        '\tw.Header().Set("Content-Type", "text/html; charset=utf-8")\n\tstatus = 200\n',
      ],
    ],
    without: ['list'],
  }),
  seeded('unknown-type', 'api.tolerant', 'fails at an element of a type that it does not know', {
    flask: [
      [
        'app.py',
        "'type': each['type']}",
        "'type': {'CONTENT': 'text', 'VIDEO': 'film', 'QUIZ': 'questions'}[each['type']]}",
      ],
    ],
    go: [
      [
        'platform.go',
        '\t\telements = append(elements, page.Data...)\n',
        `\t\tfor _, element := range page.Data {
\t\t\tif !strings.Contains("CONTENT VIDEO QUIZ", element.Type) {
\t\t\t\treturn nil, Failure{500, "An element of a type that nobody knows"}
\t\t\t}
\t\t}
\t\telements = append(elements, page.Data...)
`,
      ],
    ],
  }),
  seeded('login-required-page', 'signin.silent', 'shows an error page on login_required', {
    flask: [
      [
        'app.py',
        "        if error == 'login_required' and flow['silent']:\n",
        "        if error == 'normal_sign_in':\n",
      ],
    ],
    go: [
      [
        'sign_in.go',
        '\tif query.Get("error") == "login_required" && begun.isSilent {\n',
        '\tif query.Get("error") == "normal_sign_in" {\n',
      ],
    ],
  }),
  seeded('late-uninstall', 'webhook.late-uninstall', 'lets any app.uninstalled end what is installed now', {
    flask: [
      [
        'app.py',
        `            ' where organization = ? and (installation_id = ? or changed_at < ?)',
            (at, organization, installation_id, at))`,
        "            ' where organization = ?', (at, organization))",
      ],
    ],
    go: [
      [
        'store.go',
        '\t\t\tif known.ID == id || event.CreatedAt.After(known.ChangedAt) {\n',
        '\t\t\tif known.ID != "" {\n',
      ],
    ],
  }),
]
