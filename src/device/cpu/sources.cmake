# The sources of the CPU warp, for the program, for programs of somebody's own and for the page.
set(cpu_warp kernel_name.c cpu/api_arena.c cpu/api_capture.c cpu/api_copy.c cpu/api_device.c
  cpu/api_error.c cpu/api_graph.c cpu/api_graph_memory.c cpu/api_launch.c cpu/api_memory.c cpu/api_pool.c cpu/api_stream.c
  cpu/api_texture.c cpu/api_trap.c cpu/blocks.c cpu/deadlock.c cpu/fiber.c cpu/in_step.c cpu/lockstep.c cpu/record.c cpu/rendezvous.c cpu/runtime.c
  cpu/schedule.c cpu/shared_steps.c cpu/sink.c cpu/team.c cpu/watch.c)
list(TRANSFORM cpu_warp PREPEND ${PROJECT_SOURCE_DIR}/src/device/)
