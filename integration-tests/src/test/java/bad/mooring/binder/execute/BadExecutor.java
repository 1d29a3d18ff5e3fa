package bad.mooring.binder.execute;

import bad.mooring.binder.observe.BadViews;
import bad.mooring.expander.decide.ResizeHelper;
import java.util.concurrent.Executor;

/** R3, R4, R6, R7, R11: breaks several rules at once. */
public class BadExecutor {
  public static Executor pool = Runnable::run;
  private static final System.Logger LOG = System.getLogger("bad");
  public BadViews views;
  public ResizeHelper neighbour;

  public void act() {
    try {
      LOG.log(System.Logger.Level.INFO, "acting");
    } catch (NoClassDefFoundError swallowed) {
      LOG.log(System.Logger.Level.INFO, swallowed.getMessage());
    }
  }
}
