/**
 * One SQL layer over SQLite (the default, one file in the state dir) and PostgreSQL.
 *
 * <p>Called by every capability that remembers things. Never knows what the rows mean.
 */
@NullMarked
package dev.tandem.hub.store;

import org.jspecify.annotations.NullMarked;
