package dev.mooring.binder.execute;

import dev.mooring.binder.decide.RecycleView;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;

/** Builds views of volumes that are recycled. Thread-safe. */
@FunctionalInterface
public interface RecycleViews {
  RecycleView of(Volume volume, ObjectKey recycler);
}
