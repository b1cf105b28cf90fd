-- Operators work the desk for all organizations without being superadmins (D141).
alter table organization.admin_user add column is_operator boolean not null default false;
