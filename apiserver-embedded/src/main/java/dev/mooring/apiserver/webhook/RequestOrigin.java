package dev.mooring.apiserver.webhook;

import dev.mooring.apiserver.access.RequestUser;
import java.util.function.Consumer;

/**
 * Sender of a request.
 *
 * @param warnings receives warnings for the client
 */
public record RequestOrigin(RequestUser user, Consumer<String> warnings) {}
