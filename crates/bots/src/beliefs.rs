//! The deals that agree with everything a seat has seen.
