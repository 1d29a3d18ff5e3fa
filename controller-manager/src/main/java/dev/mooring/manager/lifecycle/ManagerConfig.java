package dev.mooring.manager.lifecycle;

import dev.mooring.binder.BinderConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How a controller-manager runs.
 *
 * @param binder how the binder runs
 * @param controllers the controllers that run, by name
 * @param qps writes per second at most, 0 for no cap
 * @param burst writes at once at most, where there is a cap
 * @param endpoints where health and metrics are answered, empty for nowhere
 * @param fallBackToAnyPort whether any port will do if that one is taken
 * @param grace how long a stop may take
 */
public record ManagerConfig(
    BinderConfig binder,
    Set<String> controllers,
    double qps,
    int burst,
    Optional<InetSocketAddress> endpoints,
    boolean fallBackToAnyPort,
    Duration grace) {}
