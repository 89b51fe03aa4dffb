-- The search folds more letters, apostrophes and hyphens. The worker writes the search text of these customers again.
update customers set search_text = null
where search_text ~ '[łøđðæœ`ʹʻʼʽʾʿˊˋ՚׳‘’‚‛′‵‐‑‒–—―−⁃˗֊־᠆⸺⸻〜〰]'
  or concat(name, email, external_id) ~ U&'[\00B4\00AD]';
