"""Serves an S3-compatible store on the loopback interface and checks the signature of every request.

Prints one line of JSON with the address, the bucket and the credentials, and serves until its standard input ends.
The server is moto. Its own setup (a bucket, a user with a policy) is done before it begins to check signatures.
"""

import json
import logging
import os
import sys

os.environ["AWS_ACCESS_KEY_ID"] = os.environ["AWS_SECRET_ACCESS_KEY"] = "setup"
os.environ["AWS_DEFAULT_REGION"] = "us-east-1"

from urllib.parse import parse_qsl, quote

import boto3
import requests
from moto.iam.access_control import IAMRequestBase
from moto.server import ThreadedMotoServer

create_request = IAMRequestBase._create_aws_request


def create_encoded_request(request):
    """moto decodes the query before it computes the signature; the signature is that of the encoded query."""
    path, _, query = request._path.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    query = "&".join(f"{quote(key, safe='')}={quote(value, safe='')}" for key, value in pairs)
    request._path = f"{path}?{query}" if query else path
    return create_request(request)


IAMRequestBase._create_aws_request = create_encoded_request

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
endpoint = f"http://{host}:{port}"

iam = boto3.client("iam", endpoint_url=endpoint)
iam.create_user(UserName="team")
key = iam.create_access_key(UserName="team")["AccessKey"]
allowed = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
iam.put_user_policy(UserName="team", PolicyName="store", PolicyDocument=policy)
boto3.client("s3", endpoint_url=endpoint).create_bucket(Bucket="team")
requests.post(f"{endpoint}/moto-api/reset-auth", data="0", timeout=10).raise_for_status()

print(
    json.dumps(
        {
            "endpoint": endpoint,
            "bucket": "team",
            "key": key["AccessKeyId"],
            "secret": key["SecretAccessKey"],
        }
    ),
    flush=True,
)
sys.stdin.read()
os._exit(0)
