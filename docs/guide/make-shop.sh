#!/bin/sh
# Makes the small git repository of docs/guide/examples.md: `sh make-shop.sh` creates the folder `shop` in the working directory.
set -eu
git init --quiet shop && cd shop
mkdir -p shop/api shop/billing shop/orders tests config
touch shop/__init__.py shop/api/__init__.py shop/billing/__init__.py shop/orders/__init__.py
cat >shop/billing/retry.py <<'END'
"""Limits how often a charge is tried."""

MAX_TRIES = 3


class RetryBudgetExceeded(Exception):
    """A charge was tried too often."""


def within_retry_budget(tries: int) -> bool:
    """Returns whether a charge may be tried again."""
    return tries < MAX_TRIES
END
cat >shop/billing/gateway.py <<'END'
"""Talks to the payment provider."""

import os

TIMEOUT_SECONDS = 10


class Gateway:
    def __init__(self, key: str | None = None):
        self.key = key or os.environ["PAYMENT_KEY"]

    def charge(self, card: str, cents: int) -> str:
        """Charges a card and returns the id of the payment."""
        if cents <= 0:
            raise ValueError("the amount must be positive")
        return f"payment-{card[-4:]}-{cents}"

    def refund(self, payment: str) -> None:
        """Returns the money of a payment."""
END
cat >shop/orders/model.py <<'END'
"""Orders and their states."""

from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    cents: int
    state: str = "open"
    payments: list[str] = field(default_factory=list)

    def is_paid(self) -> bool:
        return self.state == "paid"
END
cat >shop/orders/checkout.py <<'END'
"""Turns an open order into a paid one."""

from shop.billing.gateway import Gateway
from shop.billing.retry import RetryBudgetExceeded, within_retry_budget
from shop.orders.model import Order


def checkout(order: Order, card: str, gateway: Gateway) -> Order:
    """Charges the card until the payment succeeds or the retry budget is used up."""
    tries = 0
    while within_retry_budget(tries):
        tries += 1
        try:
            order.payments.append(gateway.charge(card, order.cents))
        except ConnectionError:
            continue
        order.state = "paid"
        return order
    raise RetryBudgetExceeded(f"order {order.number} was tried {tries} times")
END
cat >shop/api/routes.py <<'END'
"""The HTTP interface."""

from shop.billing.gateway import Gateway
from shop.orders.checkout import checkout
from shop.orders.model import Order

ORDERS: dict[int, Order] = {}


def post_checkout(number: int, body: dict) -> dict:
    """POST /orders/{number}/checkout"""
    order = checkout(ORDERS[number], body["card"], Gateway())
    return {"state": order.state}


def post_refund(number: int) -> dict:
    """POST /orders/{number}/refund"""
    order = ORDERS[number]
    for payment in order.payments:
        Gateway().refund(payment)
    order.state = "refunded"
    return {"state": order.state}
END
cat >tests/test_checkout.py <<'END'
import pytest

from shop.billing.retry import RetryBudgetExceeded
from shop.orders.checkout import checkout
from shop.orders.model import Order


class Broken:
    def charge(self, card, cents):
        raise ConnectionError


def test_checkout_stops_after_the_retry_budget():
    with pytest.raises(RetryBudgetExceeded):
        checkout(Order(1, 500), "4242424242424242", Broken())
END
printf 'payment:\n  provider: example\n  timeout_seconds: 10\n' >config/shop.yaml
printf '# Shop\n\nA small shop: orders, checkout, refunds.\n' >README.md
printf 'PAYMENT_KEY=not-a-real-key\n' >.env
git add --all
git -c user.name=Shop -c user.email=shop@example.com commit --quiet --message 'Add orders, checkout and refunds'
