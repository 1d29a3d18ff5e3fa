package dev.mooring.attachdetach.decide;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A volume as it is wanted.
 *
 * @param target the volume; null if nobody wants it
 * @param uses the pods, those first that came first
 */
public record WantedVolume(@Nullable AttachTarget target, List<PodUse> uses) {}
