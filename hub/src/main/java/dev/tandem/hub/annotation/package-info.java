/**
 * Annotations: a person marks elements of a page for whoever asked, or sends them on their own.
 * Called by /annotation, by /browser/annotation and by the annotate tool. Never touches what drives
 * browsers: its sockets, requests and state are its own.
 */
@NullMarked
package dev.tandem.hub.annotation;

import org.jspecify.annotations.NullMarked;
