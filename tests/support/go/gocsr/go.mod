module hardway.test/gocsr

go 1.21
