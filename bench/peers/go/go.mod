module peer

go 1.19

require github.com/joshdk/go-junit v1.0.0
