//! Nothing: the tests are those of alloclab.
