import os

bind = f"127.0.0.1:{os.environ['PORT']}"
workers = 2
# Imported once, before the workers fork: it opens nothing that they would share.
preload_app = True
threads = 16
accesslog = errorlog = '-'
# The path alone: what is in a query is nobody's business, the code of a sign-in above all.
access_log_format = '%(h)s %(p)s "%(m)s %(U)s" %(s)s %(M)sms'
