module hardway.local/lab/api

go 1.24

require github.com/openshift/api v0.0.0-20250102185430-d6d8306a24ec
