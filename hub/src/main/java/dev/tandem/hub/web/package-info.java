/**
 * The only package that knows the HTTP library: listens, guards, routes, upgrades, streams.
 *
 * <p>Endpoints register handlers by the ids of routes.json. Never holds product rules.
 */
@NullMarked
package dev.tandem.hub.web;

import org.jspecify.annotations.NullMarked;
