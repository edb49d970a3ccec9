module.exports = ['a/b', '[a/b]', "it's", '"q"', '$HOME', '*', 'é', '(x)', 'p|q', '^x$', 'x\\y', '<&>', '%s', 'a.b'];
