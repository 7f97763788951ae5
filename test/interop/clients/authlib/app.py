import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, url_for

app = Flask(__name__)
app.secret_key = 'nobody else knows'
platform = OAuth(app).register(
    'platform',
    server_metadata_url=os.environ['PLATFORM_APP_URL'] + '/.well-known/openid-configuration',
    client_id=os.environ['PLATFORM_CLIENT_ID'],
    client_secret=os.environ['PLATFORM_CLIENT_SECRET'],
    client_kwargs={'scope': 'openid profile email', 'code_challenge_method': 'S256'},
)


@app.get('/login')
def login():
    return platform.authorize_redirect(url_for('callback', _external=True))


@app.get('/callback')
def callback():
    return dict(platform.authorize_access_token()['userinfo'])


app.run('localhost', int(os.environ.get('PORT', '3000')))
