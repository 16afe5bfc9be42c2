# The targets; the work is done by the modules in scripts/.
.DEFAULT_GOAL := help
.PHONY: help setup setup-run demo run docs backup quick test coverage soak check format new-system playthroughs keep-release translations prints screenshots bench lock schema clients

PYTHON ?= $(firstword $(foreach name,python3 python3.13 python3.12 python3.11,$(if $(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo yes),$(name))) python3)
VENV := .venv/bin/python

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

setup: ## install everything for developing into .venv (as root on Debian or Ubuntu: system libraries as well)
	@$(PYTHON) -m scripts.setup develop

setup-run:
	@$(PYTHON) -m scripts.setup run

demo: setup-run ## play a whole campaign over HTTP and print it (SEED= for another one)
	@$(VENV) -m scripts.demo $(if $(SEED),--seed $(SEED))

run: setup-run ## serve Muster on http://127.0.0.1:8000/ with a worker beside it (HOST=, PORT=)
	@$(VENV) -m scripts.serve

docs: setup-run ## build the manual from manual/ into static/manual/; dead links fail
	@$(VENV) -m scripts.manual

backup: setup-run ## database, documents, pictures and keys in one file with the date in its name, under var/backups/ (VAR_DIR=)
	@mkdir -p -m 700 $(or $(VAR_DIR),var)/backups
	@$(VENV) manage.py backup $(or $(VAR_DIR),var)/backups

quick: setup ## what the change at hand needs: lint, types, its tests; under a minute (BASE= to compare with)
	@$(VENV) -m scripts.quick $(if $(BASE),--base $(BASE))

test: setup ## the whole suite on PostgreSQL and on SQLite, with everything it needs
	@$(VENV) -m scripts.test

coverage: setup ## how much of the product's code the tests run, without a database and on SQLite
	@$(VENV) -m scripts.coverage

soak: setup ## all long tests in full, and the results in docs/reliability.md (FAILED=1: repeat only what failed)
	@$(VENV) -m scripts.soak $(if $(FAILED),--failed)

check: setup ## lint, templates, wording, types, import contracts, migrations, schema
	@$(VENV) -m scripts.check

format: setup ## format the code
	@.venv/bin/ruff check --fix --quiet .
	@.venv/bin/ruff format --quiet .

new-system: setup ## begin a rule system from a skeleton that works (NAME=night_raid, TITLE= what people call it)
	@$(VENV) -m scripts.new_system $(if $(TITLE),--title "$(TITLE)") "$(NAME)"

playthroughs: setup ## write what the rule systems answer to tests/playthroughs, in full to var/playthroughs; read the difference
	@$(VENV) -m tests.playthroughs

keep-release: setup ## before a release: keep its database, archive, stored forms and migrations under tests/kept
	@$(VENV) -m tests.kept

translations: setup ## gather the marked texts of pages, e-mails and documents into locale/, and compile what is translated
	@$(VENV) -m scripts.translations

prints: setup ## print every kind of document, and hard cases, into var/prints/ (NAMES=)
	@$(VENV) -m scripts.prints $(NAMES)

screenshots: setup ## every page as a picture, both sizes and themes, into var/screenshots/, and what axe finds in it (NAMES=)
	@$(VENV) -m scripts.screenshots $(NAMES)

clients: setup ## generate the Python and the TypeScript client of the API into var/clients/ (ONLY=python)
	@$(VENV) -m scripts.clients $(if $(ONLY),--only $(ONLY))

bench: setup ## measure the budgets, and write them to docs/benchmarks.md (QUICK=1: tiny numbers, nothing written), or pages beside those of another version (AGAINST=commit), or of many clubs (WORLD=1000)
	@$(VENV) -m scripts.bench $(if $(QUICK),--quick) $(if $(AGAINST),--against $(AGAINST)) $(if $(WORLD),--world $(WORLD))

lock: setup ## renew the lock files from pyproject.toml
	@$(VENV) -m scripts.lock

schema: setup-run ## write the API's schema to var/schema.yaml
	@$(VENV) manage.py spectacular --validate --fail-on-warn --file var/schema.yaml
