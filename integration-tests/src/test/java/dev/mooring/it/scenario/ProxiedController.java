package dev.mooring.it.scenario;

import dev.mooring.it.faults.FaultProxy;
import java.util.List;

/** Controllers behind a fault proxy; they are idle only when the proxy is calm. */
final class ProxiedController implements RunningController {
  private final RunningController controller;
  private final FaultProxy proxy;

  ProxiedController(RunningController controller, FaultProxy proxy) {
    this.controller = controller;
    this.proxy = proxy;
  }

  @Override
  public void start(List<String> flags) throws Exception {
    proxy.forget();
    controller.start(flags);
  }

  @Override
  public void stop() throws Exception {
    controller.stop();
    proxy.forget();
  }

  @Override
  public boolean isIdle() {
    return controller.isIdle() && proxy.isCalm();
  }

  @Override
  public String describeActivity() {
    return controller.describeActivity() + ", proxy: " + proxy.describeActivity();
  }
}
