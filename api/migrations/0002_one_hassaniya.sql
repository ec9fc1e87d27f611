-- Hassaniya stood twice in the list of languages, once for each country: `hasanya` is now the one of both.
update students set language_spoken = 'hasanya' where language_spoken = 'hassaniya';
delete from reference_values where list = 'language' and code = 'hassaniya'
  and exists (select from reference_values where list = 'language' and code = 'hasanya');
update reference_values set code = 'hasanya', fr = 'Hasanya (maure)', country = null
  where list = 'language' and code in ('hasanya', 'hassaniya');
