package board

func (d *drawing) cards() {}
