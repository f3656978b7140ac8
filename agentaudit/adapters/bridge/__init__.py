"""The execution bridge's own words: its pages, its audit entries, its exports.

What is known of it comes from its documentation and from a stored release of its source that drives Claude alone;
fields of later releases are taken as additions. Results conform to the documented contract: no product was at hand.
"""
