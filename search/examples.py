"""Examples for the API documentation."""

from typing import Any

FOUND: dict[str, Any] = {
    "query": "ott",
    "words": ["ott"],
    "count": 1,
    "groups": [
        {
            "kind": "fighter",
            "label": "Fighters",
            "count": 1,
            "hits": [
                {
                    "kind": "fighter",
                    "id": "0f6a1c2e-3b4d-4c5e-8f70-1a2b3c4d5e6f",
                    "name": "Ottilie von Grün",
                    "detail": "Landsknecht · Der schwarze Haufen",
                    "ruleset": "en-garde",
                    "state": "recovering",
                    "url": "/fighters/0f6a1c2e-3b4d-4c5e-8f70-1a2b3c4d5e6f/",
                }
            ],
        }
    ],
}
