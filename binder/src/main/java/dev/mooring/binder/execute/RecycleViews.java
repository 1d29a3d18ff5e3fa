package dev.mooring.binder.execute;

import dev.mooring.binder.decide.RecycleView;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;

/** Builds views of volumes that are recycled. Thread-safe. */
@FunctionalInterface
public interface RecycleViews {
  /** Returns the view without the part of this process. */
  RecycleView of(Volume volume, ObjectKey recycler);
}
