-- The answer stands apart from the person's text, which stays unchanged (D115).
alter table worklist.history add column answer text;
update worklist.history set answer = note, note = null where action = 'closed';
update worklist.history set
  answer = split_part(note, ': ', 1),
  note = case when position(': ' in note) > 0 then substr(note, position(': ' in note) + 2) end
where action in ('answered', 'refused');
