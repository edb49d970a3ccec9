module.exports = ['a/b', '[a/b]', "it's", '"q"', '$HOME', '*', 'é', '(x)', 'p|q', '^x$', 'x\\y', '<&>', '%s', 'a.b', '', '-k', 'tab\there', 'line\nend', '\u001b[31mred', ' two  blanks '];
