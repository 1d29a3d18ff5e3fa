package dev.mooring.provisioner.decide;

import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What was seen of volumes.
 *
 * @param latest the volume in the newest version that the cache has
 * @param neverBound whether nothing shows that the volume of that uid was ever Bound
 * @param twins the other volumes in the cache that stand for the same storage
 */
public record SeenVolumes(
    UnaryOperator<Volume> latest,
    Predicate<Uid> neverBound,
    Function<Volume, List<Volume>> twins) {}
