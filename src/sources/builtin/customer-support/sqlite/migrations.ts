/** How the support database came to its present form: one step per version, never changed once released. */

export const migrations: readonly string[] = [
  `
  CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
    search TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tenants_by_age ON tenants (created_at DESC, id DESC);

  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('member', 'admin')),
    search TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (tenant_id, email)
  ) STRICT;
  CREATE INDEX users_by_age ON users (created_at DESC, id DESC);
  CREATE INDEX users_of_tenant ON users (tenant_id, created_at DESC, id DESC);
  CREATE INDEX users_by_email ON users (email);

  CREATE TABLE tickets (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    requester_id TEXT NOT NULL REFERENCES users (id),
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'pending', 'resolved', 'closed')),
    priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
    assignee TEXT,
    tags TEXT NOT NULL CHECK (json_valid(tags)),
    search TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tickets_by_age ON tickets (created_at DESC, id DESC);
  CREATE INDEX tickets_of_tenant ON tickets (tenant_id, created_at DESC, id DESC);

  CREATE TABLE comments (
    id INTEGER PRIMARY KEY,
    ticket_id TEXT NOT NULL REFERENCES tickets (id),
    author TEXT NOT NULL,
    body TEXT NOT NULL,
    internal INTEGER NOT NULL CHECK (internal IN (0, 1)),
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX comments_of_ticket ON comments (ticket_id, id);
  `,
];
