// One line per game: each is bound in a file of its own, so that they compile side by side.
#pragma once

#include <nanobind/nanobind.h>

namespace tempo::bind {

void bind_stopping(nanobind::module_& core);
void bind_gomoku(nanobind::module_& core);
void bind_gomoku_critic(nanobind::module_& core);    // after Gomoku, whose positions it speaks of
void bind_gomoku_threats(nanobind::module_& core);   // the same
void bind_gomoku_playouts(nanobind::module_& core);  // the same
void bind_chess(nanobind::module_& core);
void bind_jiu(nanobind::module_& core);
void bind_shogi(nanobind::module_& core);
void bind_minishogi(nanobind::module_& core);
void bind_shogi_planes(nanobind::module_& core);  // after both, whose batches it speaks of
void bind_shogi_mate(nanobind::module_& core);    // the same, their positions
void bind_shogi_strong(nanobind::module_& core);  // after shogi, whose positions it speaks of
void bind_jiu_players(nanobind::module_& core);   // after Jiu, whose positions it speaks of
void bind_siguo(nanobind::module_& core);
void bind_siguo_heuristic(nanobind::module_& core);  // after siguo, whose views it speaks of
void bind_siguo_learning(nanobind::module_& core);   // the same
void bind_siguo_strong(nanobind::module_& core);     // the same
void bind_endings(nanobind::module_& core);          // after chess, whose positions it speaks of
void bind_graph(nanobind::module_& core);
void bind_jiu_preparation(nanobind::module_& core);
void bind_value_table(nanobind::module_& core);

}  // namespace tempo::bind
