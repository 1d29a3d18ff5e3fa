package dev.mooring.manager.simulate;

import dev.mooring.manager.explain.ExplainAnswer;
import java.time.Duration;
import java.util.List;

/**
 * Consequences of a change for a cluster.
 *
 * @param losses volumes whose data the change destroys
 * @param lossesWithoutChange volumes whose data the cluster destroys even without the change
 * @param waiting what waits after the change and did not wait before
 * @param waitingBefore number of objects that waited before the change
 * @param writes number of writes after the change
 * @param elapsed simulated time until the last write
 * @param assumptions what the simulation does not know
 */
public record SimulationReport(
    List<DataLoss> losses,
    List<DataLoss> lossesWithoutChange,
    List<ObjectChange> changes,
    ExplainAnswer waiting,
    long waitingBefore,
    long writes,
    Duration elapsed,
    List<String> assumptions) {}
