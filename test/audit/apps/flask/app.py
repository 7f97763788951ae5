"""Course Notes on Flask and Authlib: several workers behind one port share what is in an SQLite file."""
import contextlib
import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
import time
from datetime import datetime
from pathlib import Path

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import OAuth
from cryptography.fernet import Fernet
from flask import Flask, abort, g, jsonify, redirect, render_template_string, request, session
from werkzeug.exceptions import HTTPException

ORIGIN = os.environ['ORIGIN']
CALLBACK = ORIGIN + '/callback'
BASE_URL = os.environ['PLATFORM_BASE_URL']
APP_URL = os.environ['PLATFORM_APP_URL']
CLIENT = (os.environ['PLATFORM_CLIENT_ID'], os.environ['PLATFORM_CLIENT_SECRET'])
SIGNING_SECRET = os.environ['PLATFORM_SIGNING_SECRET'].encode()
OPERATOR_KEY = os.environ['OPERATOR_KEY'].encode()
VAR = Path(os.environ.get('VAR', 'var'))
LOCKS = VAR / 'locks'
DATABASE = VAR / 'notes.sqlite'
TRIES, DEADLINE, TIMEOUT, SESSION = 3, 20, 4, 3600
# A refresh that is given up may be done all the same, and then nothing but an install helps.
RENEWAL = 10

sealing = Fernet(os.environ['APP_KEY'])
app = Flask(__name__)
app.secret_key = hashlib.sha256(b'flows ' + os.environ['APP_KEY'].encode()).digest()
# Flask's own session holds nothing but the sign-ins under way. It is signed, not secret.
app.config.update(MAX_CONTENT_LENGTH=256 * 1024, SESSION_COOKIE_NAME='notes_flows', SESSION_COOKIE_SAMESITE='Lax')


platform = OAuth(app).register(
    'platform',
    server_metadata_url=APP_URL + '/.well-known/openid-configuration',
    client_id=CLIENT[0],
    client_secret=CLIENT[1],
    client_kwargs={'scope': 'openid profile email', 'code_challenge_method': 'S256', 'default_timeout': TIMEOUT},
)


# --- What is kept ---

SCHEMA = '''
pragma journal_mode = wal;
create table if not exists organizations (
  organization text primary key, installation_id text, name text, installer text,
  tokens blob,  -- sealed; null: there are none, or the platform does not take them any more
  changed_at real not null, pause_until real not null default 0, refresh_failed_at real not null default 0);
create table if not exists ended (installation_id text primary key);
create table if not exists sessions (id text primary key, sub text, name text, email text, until real);
'''


@contextlib.contextmanager
def database():
    connection = sqlite3.connect(DATABASE, timeout=10, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        yield connection
    finally:
        connection.close()


@contextlib.contextmanager
def transaction():
    with database() as db:
        db.execute('begin immediate')
        try:
            yield db
        except BaseException:
            db.execute('rollback')
            raise
        db.execute('commit')


LOCKS.mkdir(parents=True, exist_ok=True)
with database() as at_start:
    at_start.executescript(SCHEMA)


def seal(access_token, refresh_token):
    return sealing.encrypt(json.dumps([access_token, refresh_token]).encode())


def unseal(blob):
    return json.loads(sealing.decrypt(blob))


@contextlib.contextmanager
def lock_of(organization):
    """One holder among all threads of all workers; the kernel lets go of what a dead one held."""
    with open(LOCKS / hashlib.sha256(organization.encode()).hexdigest(), 'w') as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def read(organization):
    with database() as db:
        return db.execute('select * from organizations where organization = ?', (organization,)).fetchone()


def end(db, installation_id):
    db.execute('insert or ignore into ended values (?)', (installation_id,))


def installed(installation_id, organization, at, data):
    """Each installation once: what is known, over or older than what is kept changes nothing."""
    credentials = data.get('credentials') or {}
    sealed = seal(credentials['access_token'], credentials['refresh_token']) if credentials else None
    installer = (data.get('installer') or {}).get('id')
    with transaction() as db:
        known = db.execute('select * from organizations where organization = ?', (organization,)).fetchone()
        is_ended = db.execute('select 1 from ended where installation_id = ?', (installation_id,)).fetchone()
        if is_ended or (known and (known['installation_id'] == installation_id or at < known['changed_at'])):
            return
        if known and known['installation_id']:
            end(db, known['installation_id'])
        db.execute(
            'insert or replace into organizations (organization, installation_id, name, installer, tokens, changed_at)'
            ' values (?, ?, ?, ?, ?, ?)',
            (organization, installation_id, data['organization'].get('name'), installer, sealed, at))


def uninstalled(installation_id, organization, at, data):
    """Ends its own installation and older ones; one that was made meanwhile stays."""
    with transaction() as db:
        end(db, installation_id)
        db.execute(
            'update organizations set installation_id = null, tokens = null, installer = null, changed_at = max(changed_at, ?)'
            ' where organization = ? and (installation_id = ? or changed_at < ?)',
            (at, organization, installation_id, at))


# --- Webhook ---

HANDLERS = {'app.installed': installed, 'app.uninstalled': uninstalled}


def is_signed(body):
    given = request.headers.get('Platform-Signature', '')
    expected = hmac.new(SIGNING_SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given.encode('utf-8', 'replace'), expected.encode())


@app.post('/webhook')
def webhook():
    body = request.get_data()
    if not is_signed(body):
        return jsonify(error='The signature is not valid'), 401
    try:
        event = json.loads(body)
        handler = HANDLERS.get(event['type'])
        if handler:
            organization, at = event['data']['organization']['id'], datetime.fromisoformat(event['created_at'])
            if not isinstance(event['installation_id'], str) or not isinstance(organization, str):
                raise ValueError('ids are strings')
            handler(event['installation_id'], organization, at.timestamp(), event['data'])
    except (ValueError, KeyError, TypeError, AttributeError):
        return jsonify(error='This is no event of the platform'), 400
    return jsonify(received=True)


# --- The platform's API ---

NOT_INSTALLED = 404, {'error': 'The app is not installed in this organization'}
WITHOUT_ACCESS = 409, {'error': 'The app has no access to this organization: install it again'}
REFUSED = 502, {'error': 'The platform refuses a token that it has just issued'}
UNAVAILABLE = 503, {'error': 'The platform cannot be reached: try again later'}
PAUSED = 429, {'error': 'The platform has asked for a pause: try again later'}


def seconds_to_wait(response):
    if response.status_code != 429 and (response.status_code < 500 or 'Retry-After' not in response.headers):
        return None
    given = response.headers.get('Retry-After', '')
    return float(given) if given.isdigit() else 5.0


def renew(organization, used, begun):
    """Once for all requests, of any worker, that were refused the same token. False: there is no answer to be had."""
    with lock_of(organization):
        row = read(organization)
        if row['tokens'] != used:
            return True
        if row['refresh_failed_at'] > begun:
            return False
        grant = {'grant_type': 'refresh_token', 'refresh_token': unseal(used)[1]}
        try:
            response = requests.post(APP_URL + '/oauth/token', data=grant, auth=CLIENT, timeout=RENEWAL)
            fresh = response.json()
            if response.ok:
                tokens = seal(fresh['access_token'], fresh.get('refresh_token', grant['refresh_token']))
            elif fresh['error'] == 'invalid_grant':
                tokens = None
            else:
                raise ValueError(fresh['error'])
        except (requests.RequestException, ValueError, KeyError, TypeError):
            with transaction() as db:
                db.execute('update organizations set refresh_failed_at = ? where organization = ?', (time.time(), organization))
            return False
        with transaction() as db:
            db.execute('update organizations set tokens = ? where organization = ? and tokens = ?', (tokens, organization, used))
        return True


def fetch(organization, path, params=None):
    """GETs for an organization. Its token is refreshed after a 401, once, and never before."""
    begun, failures, is_renewed = time.time(), 0, False
    while failures < TRIES and time.time() < begun + DEADLINE:
        row = read(organization)
        if row is None or row['installation_id'] is None:
            return NOT_INSTALLED
        if row['tokens'] is None:
            return WITHOUT_ACCESS
        if row['pause_until'] > time.time():
            return PAUSED
        headers = {'Authorization': 'Bearer ' + unseal(row['tokens'])[0]}
        try:
            response = requests.get(BASE_URL + path, params, headers=headers, timeout=TIMEOUT, allow_redirects=False)
            wait = seconds_to_wait(response)
            if wait is not None:
                with transaction() as db:
                    db.execute('update organizations set pause_until = ? where organization = ?',
                               (time.time() + wait, organization))
                return PAUSED
            if response.status_code == 401:
                if is_renewed:
                    return REFUSED
                if not renew(organization, row['tokens'], begun):
                    return UNAVAILABLE
                is_renewed = True
                continue
            if response.status_code < 500:
                return response.status_code, response.json()
        except (requests.RequestException, ValueError):
            pass
        failures += 1
        time.sleep(0.1 * failures)
    return UNAVAILABLE


@app.before_request
def guard_organizations():
    """The operator sees every organization, a person the one that they installed the app in, as if there were no other."""
    g.user = user_of(request.cookies.get('notes_session'))
    organization = (request.view_args or {}).get('organization')
    if organization is None or hmac.compare_digest(request.headers.get('X-Operator-Key', '').encode(), OPERATOR_KEY):
        return
    if g.user is None:
        abort(401)
    row = read(organization)
    if row is None or row['installer'] != g.user['sub']:
        abort(404)


@app.get('/organizations/<organization>/courses')
def courses(organization):
    status, body = fetch(organization, '/v0/courses')
    return jsonify(body), status


@app.get('/organizations/<organization>/elements')
def elements(organization):
    items, page = [], None
    while True:
        status, body = fetch(organization, '/v0/elements', page and {'page': page})
        if status != 200:
            return jsonify(body), status
        items += [{'id': each['id'], 'name': each['name'], 'type': each['type']} for each in body['payload']['data']]
        page = body['payload']['next']
        if page is None:
            return jsonify(items)


# --- Sign-in ---

PAGE = '<!doctype html><title>Course Notes</title><h1>{{ title }}</h1><p>{{ text }}</p><p><a href="/login">Sign in</a></p>'


def page(status, title, text=''):
    return render_template_string(PAGE, title=title, text=text), status


def return_address(text):
    """An address of this app: what begins with a slash is appended to the origin, so no host can be put in its place."""
    text = text.removeprefix(ORIGIN)
    return ORIGIN + (text if re.fullmatch(r'/[!-~]*', text) else '/')


def begin(return_to, organization=None, silent=False):
    extra = {**({'organization': organization} if organization else {}), **({'prompt': 'none'} if silent else {})}
    try:
        flow = platform.create_authorization_url(CALLBACK, **extra)
    except (requests.RequestException, ValueError):
        return page(503, 'You cannot sign in at the moment')
    url = flow.pop('url')
    # A cookie holds 4 KB: sign-ins that were left unfinished make room.
    for key in sorted(session, key=lambda key: session[key]['exp'])[:-4]:
        session.pop(key)
    platform.save_authorize_data(redirect_uri=CALLBACK, return_to=return_to, organization=organization, silent=silent, **flow)
    return redirect(url)


@app.get('/login')
def login():
    return begin(return_address(request.args.get('returnTo', '/')))


@app.get('/callback')
def callback():
    state, error = request.args.get('state', ''), request.args.get('error')
    flow = platform.framework.get_state_data(session, state)
    if flow is None:
        return page(400, 'This sign-in cannot go on', 'It is finished, took too long, or was begun in another browser.')
    if error or not request.args.get('code'):
        platform.framework.clear_state_data(session, state)
        if error == 'login_required' and flow['silent']:
            return begin(flow['return_to'], flow['organization'])
        return page(403, 'You have not signed in')
    try:
        user = platform.authorize_access_token()['userinfo']
    except requests.RequestException:
        return page(503, 'You cannot sign in at the moment')
    except (AuthlibBaseError, ValueError, KeyError, TypeError):
        return page(400, 'You could not be signed in')
    response = redirect(flow['return_to'])
    end_session(request.cookies.get('notes_session'))
    response.set_cookie('notes_session', start_session(user), max_age=SESSION, httponly=True, samesite='Lax')
    return response


def digest(session_id):
    return hashlib.sha256(session_id.encode()).hexdigest()


def start_session(user):
    session_id = secrets.token_urlsafe(32)
    with transaction() as db:
        db.execute('delete from sessions where until < ?', (time.time(),))
        db.execute('insert into sessions values (?, ?, ?, ?, ?)',
                   (digest(session_id), user['sub'], user.get('name'), user.get('email'), time.time() + SESSION))
    return session_id


def end_session(session_id):
    with transaction() as db:
        db.execute('delete from sessions where id = ?', (digest(session_id or ''),))


def user_of(session_id):
    if not session_id:
        return None
    with database() as db:
        known = db.execute('select sub, name, email from sessions where id = ? and until > ?', (digest(session_id), time.time()))
        return known.fetchone()


@app.get('/me')
def me():
    return jsonify(dict(g.user)) if g.user else (jsonify(error='Nobody is signed in'), 401)


@app.post('/logout')
def logout():
    if request.headers.get('Origin', ORIGIN) != ORIGIN:
        abort(403)
    end_session(request.cookies.get('notes_session'))
    response = redirect('/', 303)
    response.delete_cookie('notes_session')
    return response


@app.get('/')
def home():
    return page(200, f"You are signed in as {g.user['name']}" if g.user else 'Welcome')


@app.get('/setup')
def setup():
    """Where the platform sends whoever has installed the app. The slug proves nothing, so only its installer is told of it."""
    organization = request.args.get('organization', '')
    if g.user is None:
        return begin(ORIGIN + '/setup?' + requests.models.urlencode({'organization': organization}), organization, silent=True)
    row = read(organization)
    if row and row['installer'] == g.user['sub']:
        return page(200, f"Course Notes is ready for {row['name']}")
    return page(200, 'You are signed in', 'Have you just installed Course Notes? Then reload this page in a moment.')


@app.after_request
def set_headers(response):
    response.headers.update({'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff'})
    return response


@app.errorhandler(Exception)
def failed(error):
    if isinstance(error, HTTPException):
        return jsonify(error=error.name), error.code
    # The kind of an error and no more: its message may quote what was sent.
    app.logger.error('%s %s failed: %s', request.method, request.path, type(error).__name__)
    return jsonify(error='Something went wrong here'), 500
