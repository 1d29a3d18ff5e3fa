package bad.mooring.attachdetach.observe;

import bad.mooring.attachdetach.state.DesiredStateOfWorld;

/** R6: a second writer of the desired state of world. */
public final class SecondWriter {
  private final DesiredStateOfWorld desired;

  public SecondWriter(DesiredStateOfWorld desired) {
    this.desired = desired;
  }

  public void podChanged(String volume) {
    desired.use(volume);
  }
}
