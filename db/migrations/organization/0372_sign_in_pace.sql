-- Wrong codes lock one admin for one network address; over all addresses they only slow entries down (D161).
alter table organization.sign_in_budget add column last_entry_at timestamptz;
