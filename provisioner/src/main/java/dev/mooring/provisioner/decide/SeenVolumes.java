package dev.mooring.provisioner.decide;

import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Observations of volumes.
 *
 * @param latest returns the cached version of a volume
 * @param neverBound whether no record shows that the volume with this uid was ever Bound
 * @param twins returns the other cached volumes with the same storage
 */
public record SeenVolumes(
    UnaryOperator<Volume> latest,
    Predicate<Uid> neverBound,
    Function<Volume, List<Volume>> twins) {}
