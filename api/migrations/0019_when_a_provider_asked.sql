-- When somebody who came by an identity provider entered her password there: -infinity if the provider does not say so.
-- It is null for sessions that began with a password of the portal, where both are one moment.
alter table sessions add column authenticated_at timestamptz;
