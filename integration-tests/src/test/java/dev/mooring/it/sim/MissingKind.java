package dev.mooring.it.sim;

import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.model.PartialObject;
import java.util.function.Consumer;

/** List-watch of a cluster that does not have the snapshot kinds. */
final class MissingKind implements ListWatch<PartialObject> {
  private static ListWatchException none() {
    return new ListWatchException(ListWatchException.Reason.NO_SUCH_RESOURCE, "no such kind");
  }

  @Override
  public boolean streamsLists() {
    return false;
  }

  @Override
  public long list(Consumer<PartialObject> each) throws ListWatchException {
    throw none();
  }

  @Override
  public Page listFirstPage(int most, Consumer<PartialObject> each) throws ListWatchException {
    throw none();
  }

  @Override
  public void watch(long from, boolean everything, Sink<PartialObject> sink)
      throws ListWatchException {
    throw none();
  }

  @Override
  public void catchUp(long from, Sink<PartialObject> sink) throws ListWatchException {
    throw none();
  }
}
